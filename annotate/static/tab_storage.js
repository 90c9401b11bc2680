// What must outlive a reload of the tab. A browser that forbids storage loses only that.

import { study } from "./server_requests.js";

// One value under a name of this study; null is nothing. The storage is looked up late: to touch it may be an error.
export function store(storage, name) {
  const key = `etalon:${study}:${name}`;
  let here = null;
  return {
    get() {
      try {
        return JSON.parse(storage().getItem(key));
      } catch {
        return here;
      }
    },
    put(value) {
      here = value;
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, JSON.stringify(value));
      } catch {}
    },
  };
}

const sent = store(() => localStorage, "underway");
const begun = store(() => sessionStorage, "draft");

// Answers on their way, by the token of their item: the browser keeps them until the server has them.
export const underway = {
  all: () => Object.values(sent.get() ?? {}),
  add: (body) => sent.put({ ...sent.get(), [body.token]: body }),
  drop(token) {
    const { [token]: _, ...rest } = sent.get() ?? {};
    sent.put(Object.keys(rest).length ? rest : null);
  },
};

// The answers being given to the items with these tokens: the tab keeps them while it is open.
export const draft = {
  of: (token) => begun.get()?.[token] ?? null,
  keep(token, value) {
    const { [token]: _, ...rest } = begun.get() ?? {};
    const kept = token && value !== null ? { ...rest, [token]: value } : rest;
    begun.put(Object.keys(kept).length ? kept : null);
  },
};
