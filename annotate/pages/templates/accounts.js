// The name of an account is a button; pressing it puts the account into the form below the table.
element.addEventListener("click", (event) => {
  const name = event.target.closest("[data-account]")?.dataset.account;
  if (name !== undefined) trigger('pick', { account: name });
});
