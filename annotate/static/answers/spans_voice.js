// What is said of spans: to those who do not see them, and where a key did nothing to those who do.

import { isPlace } from "./spans_marks.js";
import { around, short } from "./spans_text.js";

// `says` are the sentences of the page's language, `status` the element that is read aloud, `guide` the line that all see.
export function makeVoice(measure, says, status, guide) {
  const how = guide.textContent;

  const quote = (words) => says.quoted.replace("{words}", () => words);
  const words = (span) =>
    quote(isPlace(span) ? around(measure, span.begin) : short(measure.slice(span.begin, span.end)));

  const tell = (sentence) => (status.textContent = sentence);
  const lead = (sentence) => (guide.textContent = sentence || how);

  return {
    words,
    tell,
    lead,
    // marked, chosen, removed
    of: (name, span) => tell(says[name].replace("{label}", () => span.label).replace("{words}", () => words(span))),
    selected: (begin, end) => tell(says.selected.replace("{words}", () => quote(short(measure.slice(begin, end))))),
    passed(begin, end) {
      const over = measure.slice(begin, end);
      tell(/^[\r\n]+$/u.test(over) ? says.line_end : over.trim() === "" ? says.space : short(over));
    },
  };
}
