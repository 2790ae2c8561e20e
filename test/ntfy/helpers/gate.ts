// A TCP gate in front of a server: closed, it drops every connection and takes no new ones, as a network does.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Gate {
  readonly url: string
  readonly #server: Server
  readonly #sockets: Set<Socket>
  readonly #state: { open: boolean, refused: number }

  private constructor(server: Server, sockets: Set<Socket>, state: { open: boolean, refused: number }) {
    this.#server = server
    this.#sockets = sockets
    this.#state = state
    this.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  }

  /** @param target the address of the server behind the gate. */
  static async before(target: string): Promise<Gate> {
    const sockets = new Set<Socket>()
    const state = { open: true, refused: 0 }
    const server = createServer(socket => {
      if (!state.open) {
        state.refused++
        return void socket.destroy()
      }
      const behind = connect(Number(new URL(target).port), '127.0.0.1')
      for (const one of [socket, behind]) {
        sockets.add(one)
        one.on('error', () => one.destroy())
        one.on('close', () => {
          sockets.delete(one)
          socket.destroy()
          behind.destroy()
        })
      }
      socket.pipe(behind).pipe(socket)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new Gate(server, sockets, state)
  }

  /** How many were not let in. */
  get refused(): number {
    return this.#state.refused
  }

  /** Drop everybody and let nobody in. */
  shut(): void {
    this.#state.open = false
    for (const socket of this.#sockets) socket.destroy()
  }

  open(): void {
    this.#state.open = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.shut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
