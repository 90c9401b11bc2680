// How an answer comes about: whether text was pasted into it, whether the page was out of sight meanwhile.

// `asked` gives the part of the page that holds the answer, if an item is there.
export function attention(asked) {
  let pasted = false;
  let away = false;

  addEventListener("paste", (event) => (pasted ||= asked()?.contains(event.target) ?? false), true);
  document.addEventListener("visibilitychange", () => (away ||= document.visibilityState === "hidden"));

  return {
    signs: () => ({ ...(pasted && { pasted }), ...(away && { away }) }),
    restart: () => (pasted = away = false),
  };
}
