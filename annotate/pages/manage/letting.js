// The button beside the number of people who found no place lets more in.
element.addEventListener("click", (event) => {
  if (event.target.closest("[data-let-in]")) trigger('admit');
});
