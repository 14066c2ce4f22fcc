import { TextField } from '../ui/fields.tsx';

interface PasswordProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly required?: boolean;
}

export function PasswordField(props: PasswordProps) {
  return (
    <TextField
      {...props}
      label="New password"
      description="4 to 128 ASCII characters. Nobody can read it later."
      autoComplete="off"
      maxLength={128}
    />
  );
}

interface LimitProps {
  readonly maxResponses: string;
  readonly onMaxResponses: (value: string) => void;
  readonly expiresAt: string;
  readonly onExpiresAt: (value: string) => void;
}

export function LimitFields({ maxResponses, onMaxResponses, expiresAt, onExpiresAt }: LimitProps) {
  return (
    <>
      <TextField
        label="Response limit"
        description="Maximum number of responses through the link. Empty for no limit."
        type="number"
        value={maxResponses}
        onChange={onMaxResponses}
      />
      <TextField
        label="Expires"
        description="In your time zone. Empty for no expiry."
        type="datetime-local"
        value={expiresAt}
        onChange={onExpiresAt}
      />
    </>
  );
}
