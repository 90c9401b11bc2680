// Asking the server: what is sent, what is tried again, what a refusal says.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { page } from "./dom.mjs";

page("", { url: "http://127.0.0.1/annotate/?study=pilot%20one" });
const { Refused, ask, askOnce, study, tryNow } = await import("../../annotate/static/server_requests.js");

let sent;
let replies;
beforeEach(() => {
  [sent, replies] = [[], []];
  globalThis.fetch = async (address, options) => {
    sent.push({ address: String(address), ...options, body: JSON.parse(options.body) });
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  };
});

const reply = (status, body) => new Response(typeof body === "string" ? body : JSON.stringify(body), { status });

test("the study comes from the address, a question goes to its own place as JSON", async () => {
  replies.push(reply(200, { html: "x" }));
  assert.deepEqual(await askOnce("act", { kind: "next" }), { html: "x" });
  assert.equal(study, "pilot one");
  assert.match(sent[0].address, /\/api\/annotate\/pilot%20one\/act$/);
  assert.equal(sent[0].method, "POST");
  assert.deepEqual(sent[0].body, { kind: "next" });
});

test("a refusal carries its sentence and its status and is not tried again", async () => {
  replies.push(reply(422, { error: "Сначала выберите." }));
  await assert.rejects(ask("act", {}, () => assert.fail()), (error) => {
    assert.ok(error instanceof Refused);
    assert.deepEqual([error.message, error.status], ["Сначала выберите.", 422]);
    return true;
  });
  assert.equal(sent.length, 1);
});

test("failures of the network, the server and the way between are tried again with the same body", async () => {
  replies.push(new TypeError("no network"), reply(500, {}), reply(429, {}), reply(200, '{"ha'), reply(200, { html: "y" }));
  const troubles = [];
  const done = ask("act", { kind: "answer", token: "a" }, (attempt) => (troubles.push(attempt), setTimeout(tryNow)));
  assert.deepEqual(await done, { html: "y" });
  assert.deepEqual(troubles, [0, 1, 2, 3]);
  assert.deepEqual(new Set(sent.map(({ body }) => JSON.stringify(body))).size, 1);
});

test("a server that can store nothing says when to ask again, and the page is told why", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const pauses = [];
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (work, milliseconds) => {
    if (milliseconds !== 15_000) pauses.push(milliseconds);
    return real(work, milliseconds);
  };
  const unable = new Response('{"error": "..."}', { status: 503, headers: { "Retry-After": "10" } });
  replies.push(unable, reply(500, {}), reply(200, { html: "y" }));
  const told = [];
  await ask("act", {}, (attempt, unable) => (told.push([attempt, unable]), setImmediate(tryNow)));
  globalThis.setTimeout = real;
  mock.timers.reset();
  assert.deepEqual(told, [[0, true], [1, false]]);
  assert.deepEqual(pauses, [10_000, 2_000]);
});

test("the pauses grow to twenty seconds and end when the connection is back", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const pauses = [];
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (work, milliseconds) => {
    if (milliseconds !== 15_000) pauses.push(milliseconds);
    return real(work, milliseconds);
  };
  for (let number = 0; number < 7; number += 1) replies.push(new TypeError("no network"));
  replies.push(reply(200, {}));
  await ask("act", {}, () => setImmediate(() => dispatchEvent(new Event("online"))));
  globalThis.setTimeout = real;
  mock.timers.reset();
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16000, 20000, 20000]);
});
