(name) => {
  const address = new URL(location.href);
  address.search = "";
  address.searchParams.set("study", name);
  history.replaceState(null, "", address);
  return name;
}
