import { Button, CopyButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toTokenFile } from './link-tokens.ts';

/** Tokens that were just created. The platform does not show them again. */
export interface NewTokens {
  readonly slug: string;
  readonly tokens: readonly string[];
  /** The invitation of each token. */
  readonly invitationIds: readonly string[];
}

/** Shows new tokens. Only the button `Close` closes the dialog. */
export function LinkTokensDialog({ onClose, ...created }: NewTokens & { readonly onClose: () => void }) {
  const { slug, tokens } = created;
  return (
    <Dialog title="Tokens" isOpen onClose={onClose} isDismissable={false}>
      <div className="notice" data-tone="warn">
        <p>
          You see these tokens only now. Download or copy them before you close the dialog. The CSV has the id of each
          invitation, which its response will have too.
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="token-list" aria-label="Tokens" tabIndex={0}>
        <ol>
          {tokens.map((token) => (
            <li key={token}>
              <code>{token}</code>
            </li>
          ))}
        </ol>
      </section>
      <div className="dialog-actions">
        <CopyButton label="Copy" text={tokens.join('\n')} done="The tokens are copied." />
        <Button variant="primary" onPress={() => saveFile(`tokens-${slug}.csv`, 'text/csv', toTokenFile(created))}>
          Download CSV
        </Button>
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
