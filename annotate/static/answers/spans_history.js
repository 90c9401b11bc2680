// What was, what is, what was undone: whole states, which share what did not change.

const MOST = 200;

export function makeHistory(first) {
  let [past, now, future] = [[], first, []];
  return {
    get now() {
      return now;
    },
    get canUndo() {
      return past.length > 0;
    },
    get canRedo() {
      return future.length > 0;
    },
    push(state) {
      past = [...past, now].slice(-MOST);
      [now, future] = [state, []];
    },
    undo() {
      if (!past.length) return false;
      [future, now, past] = [[now, ...future], past.at(-1), past.slice(0, -1)];
      return true;
    },
    redo() {
      if (!future.length) return false;
      [past, now, future] = [[...past, now], future[0], future.slice(1)];
      return true;
    },
  };
}
