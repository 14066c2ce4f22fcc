// Runs in the browser, before scalar.js.

// The Content-Security-Policy forbids compiling code at run time.
globalThis.__zod_globalConfig = { jitless: true };

const holder = document.getElementById('reference');
const KEY = 'token';
const keepsToken = 'keepToken' in holder.dataset;

/** A plugin that keeps the token when the user reloads the tab. */
function keepToken() {
  return {
    name: 'keep-token',
    extensions: [],
    hooks: {
      onInit({ auth }) {
        addEventListener('pagehide', () => {
          const [document] = Object.values(auth.export());
          const token = document?.secrets.bearer?.['x-scalar-secret-token'];
          if (token) sessionStorage.setItem(KEY, token);
          else sessionStorage.removeItem(KEY);
        });
      },
    },
  };
}

// This event fires after scalar.js has run.
addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference(holder, {
    url: '/openapi.json',
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { bearer: { token: (keepsToken && sessionStorage.getItem(KEY)) || '' } },
    },
    plugins: keepsToken ? [keepToken] : [],
    theme: 'none',
    hideDarkModeToggle: true,
    documentDownloadType: 'none',
    // Switch off everything that calls other origins.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});

/** Corrections for screen readers: selector, attribute and value. Undefined removes the attribute. */
const CORRECTIONS = [
  ['button.group\\/copy-button:not([aria-label])', 'aria-label', 'Copy'],
  ['button[role="none"]', 'role', undefined],
  ['[role="combobox"]:not([aria-expanded])', 'aria-expanded', 'false'],
  ['.cm-scroller[tabindex="-1"]:has([contenteditable="false"])', 'tabindex', '0'],
  ['.cm-content:not([aria-label])', 'aria-label', 'Body'],
];

function correctAttributes() {
  for (const [selector, name, value] of CORRECTIONS)
    for (const element of document.querySelectorAll(selector)) {
      if (value === undefined) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
  // Remove `aria-controls` while the element that it names does not exist.
  for (const button of document.querySelectorAll('[aria-controls]'))
    if (document.getElementById(button.getAttribute('aria-controls')) === null) button.removeAttribute('aria-controls');
}
new MutationObserver(correctAttributes).observe(document.body, { childList: true, subtree: true });

document.querySelector('.skip').addEventListener('click', (event) => {
  const main = holder.querySelector('main');
  if (main === null) return;
  event.preventDefault();
  main.tabIndex = -1;
  main.focus();
});
