import { afterEach } from 'vitest';

interface Closable {
  close(): unknown;
}

/** Closes everything that is pushed after each test of the file, last first. */
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
