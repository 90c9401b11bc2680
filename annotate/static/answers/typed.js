// Answers that are typed into one field. White space alone is no answer.

const field = (ask) => ask.querySelector("input, textarea");

export const typed = {
  read: (ask) => (field(ask).value.trim() ? field(ask).value : null),
  write: (ask, value) => (field(ask).value = value),
  clear: (ask) => (field(ask).value = ""),
};
