// The name of a study is a button; pressing it opens the study.
element.addEventListener("click", (event) => {
  const name = event.target.closest("[data-study]")?.dataset.study;
  if (name !== undefined) trigger('pick', { study: name });
});
