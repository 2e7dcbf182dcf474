(() => {
  const wire = (scope, root) => {
    const audio = scope.querySelector("audio");
    const wave = scope.querySelector("[data-from]");
    if (!audio || !wave) return;
    const head = wave.querySelector(".playhead");
    const from = Number(wave.dataset.from), length = Number(wave.dataset.to) - from;
    const start = Number(audio.dataset.start || 0);
    let frame = 0;
    const draw = () => {
      const at = audio.currentTime + start;
      const x = `${Math.min(100, Math.max(0, (at - from) / length * 100)).toFixed(2)}%`;
      head.setAttribute("x1", x);
      head.setAttribute("x2", x);
      frame = audio.paused ? 0 : requestAnimationFrame(draw);
    };
    const show = () => { root.classList.add("playing"); if (!frame) draw(); };
    const seek = (sec) => { audio.currentTime = Math.max(0, sec - start); show(); };
    for (const event of ["play", "seeked"]) audio.addEventListener(event, show);
    wave.classList.add("seek");
    wave.addEventListener("click", (event) => {
      const box = wave.getBoundingClientRect();
      seek(from + (event.clientX - box.left) / box.width * length);
    });
    for (const link of scope.querySelectorAll("a.listen")) link.textContent = "listen";
    for (const link of scope.querySelectorAll("a[data-at]")) {
      link.addEventListener("click", () => { seek(Number(link.dataset.at) - 1); audio.play().catch(() => {}); });
    }
  };
  const clips = document.querySelectorAll("[data-clip]");
  if (clips.length) for (const clip of clips) wire(clip, clip);
  else wire(document, document.body);
})();
