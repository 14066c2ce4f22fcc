import { afterEach } from 'vitest';

interface Closable {
  close(): unknown;
}

/** After each test of the file, closes everything that was pushed, in reverse order. */
export function closeAfterEach(): { push(...opened: readonly Closable[]): void } {
  const open: Closable[] = [];
  afterEach(async () => {
    for (const item of open.splice(0).reverse()) await item.close();
  });
  return {
    push(...opened) {
      open.push(...opened);
    },
  };
}
