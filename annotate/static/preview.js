// A screen to be looked at: texts and answers come to life as for a worker, and nothing is sent anywhere.

import * as answers from "./answers/index.js";
import { dialogs as dialogsOf } from "./dialogs.js";
import * as fields from "./fields/index.js";

const root = document.querySelector("[data-worker]");
const screen = root.querySelector(".screen");
const dialogs = dialogsOf(root, async () => root.querySelector("[data-sheet]").innerHTML, () => {});
const asked = () => screen.querySelector("fieldset:enabled > [data-answer]");

fields.bring(screen);
answers.bring(screen).then(() => asked() && answers.start(asked(), { changed() {} }));

root.addEventListener("click", (event) => dialogs.clicked(event.target));
root.addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => {
  if (!event.target.closest("input:not([type=radio], [type=checkbox]), textarea, dialog") && asked()) answers.press(asked(), event);
});
