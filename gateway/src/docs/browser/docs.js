// Runs in the browser, on every page.

// The menu closes like a menu: with Escape, and with a click elsewhere.
const menu = document.querySelector('.menu');
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});
addEventListener('click', ({ target }) => {
  if (!menu.contains(target)) menu.open = false;
});

// Boxes that scroll can be scrolled with the keyboard, and no others get the focus.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
for (const box of document.querySelectorAll('.guide pre, .guide .scroll')) observer.observe(box);
