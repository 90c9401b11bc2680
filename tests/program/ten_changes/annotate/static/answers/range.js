// Two numbers with a dash between them.

const ends = (ask) => [...ask.querySelectorAll(".end")];

export default {
  read: (ask) => {
    const values = ends(ask).map((end) => end.value.trim());
    return values.some(Boolean) ? values : null;
  },
  write: (ask, value) => ends(ask).forEach((end, place) => (end.value = value[place] ?? "")),
  clear: (ask) => ends(ask).forEach((end) => (end.value = "")),
};
