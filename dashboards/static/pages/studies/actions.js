// What can be done to a study of the list. Deleting waits until it can no longer be undone.
import { part, send } from "../api.js";

export function createActions({ rows, hidden, show, messages }) {
  function hide(name) {
    hidden.add(name);
    show();
  }

  function bring(name) {
    hidden.delete(name);
    show();
  }

  // The row goes at once; the study when the time to undo it is over, or the page is left.
  function remove(item) {
    hide(item.name);
    const undo = messages.done(`Deleted ${item.name}.`, {
      undo: () => bring(item.name),
      end: () => removeNow(item),
    });
    undo.focus();
  }

  async function removeNow(item) {
    try {
      await send("DELETE", `studies/${part(item.name)}`, undefined, { keepalive: true });
      rows.delete(item.name);
      hidden.delete(item.name);
    } catch (error) {
      if (error.status === 404) return;
      bring(item.name);
      messages.fault(`${item.name} was not deleted: ${error.message}`);
    }
  }

  async function archive(item, archived) {
    hide(item.name);
    try {
      await send("PATCH", `studies/${part(item.name)}`, { archived });
      rows.delete(item.name);
      const back = () => takeBack(item, archived);
      messages.done(archived ? `Archived ${item.name}.` : `${item.name} is current again.`, { undo: back }).focus();
    } catch (error) {
      messages.fault(`${item.name} was not changed: ${error.message}`);
    }
    bring(item.name);
  }

  async function takeBack(item, archived) {
    try {
      await send("PATCH", `studies/${part(item.name)}`, { archived: !archived });
      rows.set(item.name, item);
      show();
    } catch (error) {
      messages.fault(`${item.name} was not changed: ${error.message}`);
    }
  }

  return { remove, archive };
}
