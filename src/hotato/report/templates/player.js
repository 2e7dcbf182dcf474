(() => {
  const audio = document.querySelector("audio");
  const wave = document.querySelector("[data-from]");
  if (!audio || !wave) return;
  const head = wave.querySelector(".playhead");
  const from = Number(wave.dataset.from), length = Number(wave.dataset.to) - from;
  let frame = 0;
  const draw = () => {
    const x = `${Math.min(100, Math.max(0, (audio.currentTime - from) / length * 100)).toFixed(2)}%`;
    head.setAttribute("x1", x);
    head.setAttribute("x2", x);
    frame = audio.paused ? 0 : requestAnimationFrame(draw);
  };
  const start = () => { document.body.classList.add("playing"); if (!frame) draw(); };
  const seek = (sec) => { audio.currentTime = Math.max(0, sec); start(); };
  for (const event of ["play", "seeked"]) audio.addEventListener(event, start);
  wave.classList.add("seek");
  wave.addEventListener("click", (event) => {
    const box = wave.getBoundingClientRect();
    seek(from + (event.clientX - box.left) / box.width * length);
  });
  for (const link of document.querySelectorAll("a.listen")) link.textContent = "listen";
  for (const link of document.querySelectorAll("a[data-at]")) {
    link.addEventListener("click", () => { seek(Number(link.dataset.at) - 1); audio.play().catch(() => {}); });
  }
})();
