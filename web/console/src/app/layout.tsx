import { Link, Outlet } from '@tanstack/react-router';
import { useCan, useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { navigation } from './navigation.ts';

/** The frame of all pages: navigation at the side, a page beside it. */
export function Layout() {
  const { me, signOut } = useSession();
  const can = useCan();
  return (
    <>
      {/* A link to `#main` would replace the fragment of the address, which can have conditions. */}
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <div className="shell">
        <header className="shell-side no-print">
          <strong>Survey console</strong>
          <nav className="shell-nav" aria-label="Console">
            {navigation
              .filter(({ permission }) => can(permission))
              .map(({ to, label }) => (
                <Link key={to} to={to}>
                  {label}
                </Link>
              ))}
          </nav>
          <div className="shell-user stack">
            <span>
              Signed in as {me.user_id}, {me.role}
            </span>
            <Button variant="plain" onPress={signOut}>
              Sign out
            </Button>
          </div>
        </header>
        <main id="main" className="shell-main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </>
  );
}

export function NotFound() {
  return (
    <div className="page">
      <Empty title="There is no such page.">
        <Link to="/">Go to the start</Link>
      </Empty>
    </div>
  );
}
