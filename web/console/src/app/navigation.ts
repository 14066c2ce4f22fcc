/** Pages of the navigation, and the permission that each one needs. */
export const navigation = [
  { to: '/surveys', label: 'Surveys', permission: 'surveys:read' },
  { to: '/webhooks', label: 'Webhooks', permission: 'webhooks:read' },
  { to: '/imports', label: 'Imports', permission: 'imports:read' },
  { to: '/tenant', label: 'Tenant', permission: 'tenant:read' },
] as const;
