import { afterEach } from 'vitest';

interface Closable {
  close(): unknown;
}

/** Where tests of a file put what they open: after each of them it is closed, the last first. */
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
