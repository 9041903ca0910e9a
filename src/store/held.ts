// Owns which executions stand still: their events and timers are held until they go on. Those of a paused one wait for its
// resumption, those of a failed one for mended code; only a pause parks actions too.

export const isHeld = (status: string): boolean => status === 'paused' || status === 'failed'
