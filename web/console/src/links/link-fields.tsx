import { limits } from '@survey/client';
import { TextField } from '../ui/fields.tsx';

interface PasswordProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly required?: boolean;
}

const { minLength, maxLength } = limits.CreateLinkRequest.password;

export function PasswordField(props: PasswordProps) {
  return (
    <TextField
      {...props}
      label="New password"
      description={`${minLength} to ${maxLength} ASCII characters. Nobody can read it later.`}
      autoComplete="off"
      minLength={minLength}
      maxLength={maxLength}
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
