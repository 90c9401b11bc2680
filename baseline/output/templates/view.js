/* The focus follows to the view that has come into sight: to its heading, in the list to the button that opens the form. */
() => {
  const last = performance.now() + 2000;
  const follow = () => {
    const seen = [...document.querySelectorAll(".requester-page h1[tabindex], .requester-page .heading button.primary")];
    const there = seen.find((one) => one.offsetParent);
    if (document.activeElement !== document.body) return;
    if (there) there.focus();
    else if (performance.now() < last) requestAnimationFrame(follow);
  };
  requestAnimationFrame(() => requestAnimationFrame(follow));
}
