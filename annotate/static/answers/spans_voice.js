// What is said of spans: to those who do not see them, and where a key did nothing to those who do.

import { isPlace } from "./spans_marks.js";
import { around, short } from "./spans_text.js";

// `says` are the sentences of the page's language, `status` the element that is read aloud.
export function makeVoice(measure, says, status) {
  const quote = (words) => says.quoted.replace("{words}", () => words);
  const words = (span) =>
    quote(isPlace(span) ? around(measure, span.begin) : short(measure.slice(span.begin, span.end)));

  function tell(sentence, seen = false) {
    status.classList.toggle("unseen", !seen);
    status.textContent = sentence;
  }

  return {
    words,
    tell,
    // marked, chosen, removed
    of: (name, span) => tell(says[name].replace("{label}", () => span.label).replace("{words}", () => words(span))),
    selected: (begin, end) => tell(says.selected.replace("{words}", () => quote(short(measure.slice(begin, end))))),
    passed(begin, end) {
      const over = measure.slice(begin, end);
      tell(/^[\r\n]+$/u.test(over) ? says.line_end : over.trim() === "" ? says.space : short(over));
    },
  };
}
