// Runs in the browser, on every page.

// Escape and a click elsewhere close the menu.
const menu = document.querySelector('.menu');
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});
addEventListener('click', ({ target }) => {
  if (!menu.contains(target)) menu.open = false;
});

// Only boxes that scroll can get the focus, so that the keyboard can scroll them.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
for (const box of document.querySelectorAll('.guide pre, .guide .scroll')) observer.observe(box);
