import { useMemo } from 'react';
import { renderSVG } from 'uqr';
import { Button, CopyButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { saveFile } from '../ui/save-file.ts';
import { linkAddress } from './respondent-address.ts';

/** The address of a link as a QR code, to show and to print. */
export function QrCodeDialog({ slug, onClose }: { readonly slug: string; readonly onClose: () => void }) {
  const address = linkAddress(slug);
  // Codes with the error correction level M can be read despite scratches. Scanners need a border of four modules.
  const svg = useMemo(() => renderSVG(address, { ecc: 'M', border: 4 }), [address]);
  return (
    <Dialog title="QR code" isOpen onClose={onClose}>
      <img className="qr-code" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={`QR code of ${address}`} />
      <a href={address} target="_blank" rel="noreferrer">
        {address}
      </a>
      <div className="dialog-actions">
        <CopyButton label="Copy the address" text={address} done="The address is copied." />
        <Button variant="primary" onPress={() => saveFile(`${slug}.svg`, 'image/svg+xml', svg)}>
          Download SVG
        </Button>
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
