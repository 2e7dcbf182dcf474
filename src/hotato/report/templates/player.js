(() => {
  const wire = (scope, root) => {
    const audio = scope.querySelector("audio");
    const waves = [...scope.querySelectorAll("[data-from]")].map((wave) => ({
      wave, head: wave.querySelector(".playhead"), from: Number(wave.dataset.from), to: Number(wave.dataset.to),
    }));
    if (!audio || !waves.length) return;
    const start = Number(audio.dataset.start || 0);
    let frame = 0;
    const draw = () => {
      const at = audio.currentTime + start;
      for (const { head, from, to } of waves) {
        const x = `${Math.min(100, Math.max(0, (at - from) / (to - from) * 100)).toFixed(2)}%`;
        head.setAttribute("x1", x);
        head.setAttribute("x2", x);
        head.style.visibility = waves.length > 1 && (at < from || at > to) ? "hidden" : "";
      }
      frame = audio.paused ? 0 : requestAnimationFrame(draw);
    };
    const show = () => { root.classList.add("playing"); if (!frame) draw(); };
    const seek = (sec) => { audio.currentTime = Math.max(0, sec - start); show(); };
    for (const event of ["play", "seeked"]) audio.addEventListener(event, show);
    for (const { wave, from, to } of waves) {
      wave.classList.add("seek");
      wave.addEventListener("click", (event) => {
        const box = wave.getBoundingClientRect();
        seek(from + (event.clientX - box.left) / box.width * (to - from));
      });
    }
    for (const link of scope.querySelectorAll("a.listen")) link.textContent = "listen";
    for (const link of scope.querySelectorAll("a[data-at]")) {
      link.addEventListener("click", () => { seek(Number(link.dataset.at) - 1); audio.play().catch(() => {}); });
    }
  };
  const clips = document.querySelectorAll("[data-clip]");
  if (clips.length) for (const clip of clips) wire(clip, clip);
  else wire(document, document.body);
})();
