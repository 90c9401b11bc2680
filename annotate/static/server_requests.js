// Asking the server: JSON there and back, tried again while the connection fails.

const PATIENCE = 15_000;
const LONGEST_PAUSE = 20_000;
const NOW = "etalon:now";

export const study = new URLSearchParams(location.search).get("study") ?? "";
const address = (path) => new URL(`../../api/annotate/${encodeURIComponent(study)}/${path}`, import.meta.url);

// The server could not do it just now, and says after how many seconds to ask again.
class Unable extends Error {
  constructor({ status, headers }) {
    super(`status ${status}`);
    this.unavailable = status === 503;
    this.seconds = Number(headers.get("Retry-After"));
  }
}

// The server understood and said no; asking again would not help.
export class Refused extends Error {
  constructor(status, reply) {
    super(reply.error ?? "");
    this.status = status;
    this.reply = reply;
  }
}

export async function askOnce(path, body = {}) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const response = await fetch(address(path), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: giveUp.signal,
    });
    if (response.status >= 500 || response.status === 429) throw new Unable(response);
    const reply = await response.json();
    if (!response.ok) throw new Refused(response.status, reply);
    return reply;
  } finally {
    clearTimeout(timer);
  }
}

// Every act may be sent again: the server does it once and gives the same reply.
export async function ask(path, body, onTrouble) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await askOnce(path, body);
    } catch (error) {
      if (error instanceof Refused) throw error;
      onTrouble(attempt, Boolean(error.unavailable));
      await pause(Math.min(Math.max(1000 * 2 ** attempt, 1000 * (error.seconds || 0)), LONGEST_PAUSE));
    }
  }
}

// Whoever waits for the next attempt waits no longer.
export const tryNow = () => dispatchEvent(new Event(NOW));

// A pause ends early when the browser says the connection is back, or when somebody does not want to wait.
function pause(milliseconds) {
  return new Promise((resolve) => {
    const ended = () => {
      clearTimeout(timer);
      removeEventListener("online", ended);
      removeEventListener(NOW, ended);
      resolve();
    };
    const timer = setTimeout(ended, milliseconds);
    addEventListener("online", ended);
    addEventListener(NOW, ended);
  });
}
