// Sends key presses to the server, unless the user is typing into a field.
"use strict";

window.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
  if (typing && event.key === "Escape") event.target.blur();
  if (typing || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "g") {
    event.preventDefault();
    document.getElementById("number").select();
  } else if (event.key.length === 1 || event.key === "Escape") {
    window.trame.trigger("press", [event.key]);
  }
});
