// Owns the chance of the client: an idempotency key is drawn once for a request, and sent again with it.

export const newKey = (): string => crypto.randomUUID()
