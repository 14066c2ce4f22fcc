import type { UserRole } from '@survey/client';

/** In ascending order: each role includes the permissions of those before it. */
const ROLES = ['viewer', 'analyst', 'editor', 'admin', 'owner'] as const satisfies readonly UserRole[];

export const roleOptions = ROLES.map((value) => ({ value, label: value }));
