// While nobody looks at the page nothing is asked for; who comes back sees the present state at once.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) trigger('left');
  else trigger('back');
});
