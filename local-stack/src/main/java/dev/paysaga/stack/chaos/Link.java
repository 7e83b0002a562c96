package dev.paysaga.stack.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way from one process to another: a proxy for TCP that can be slow, or let nothing pass in either direction. What was
 * sent while nothing passed arrives afterwards, as after a cable was put back; nothing is ever lost in the middle of a
 * connection, TCP does not do that.
 */
final class Link implements AutoCloseable {

    private static final int CHUNK = 64 * 1024;

    /** Chunks on the way at once: beyond that the sender is slowed down, as by a full window. */
    private static final int WINDOW = 64;

    private static final int CONNECT_MILLIS = 5_000;

    private final int target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean cut;
    private volatile long delayNanos;

    /** @param target the port on this machine that it leads to */
    Link(int target) {
        this.target = target;
        try {
            server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("link").start(this::accept);
    }

    /** Where it begins. */
    int port() {
        return server.getLocalPort();
    }

    /** From now on everything takes so much longer in each direction; zero for as fast as it gets. */
    void slow(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** From now on nothing passes. Nobody is told. */
    void cut() {
        set(true);
    }

    /** Everything passes again, what was held back first. */
    void mend() {
        set(false);
    }

    private void set(boolean cut) {
        lock.lock();
        try {
            this.cut = cut;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().name("link").start(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        sockets.add(client);
        try {
            awaitPassage();
            var far = new Socket();
            sockets.add(far);
            far.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), target), CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            var open = new AtomicInteger(2);
            carry(client, far, open);
            carry(far, client, open);
        } catch (IOException | InterruptedException refused) {
            // Nobody listens there: the client is refused too, as abruptly as can be.
            reset(client);
        }
    }

    private record Chunk(byte[] bytes, long due) {}

    /**
     * One direction of a connection. An empty chunk says that no more will come: the other direction may go on then.
     *
     * @param open how many directions are
     */
    private void carry(Socket from, Socket to, AtomicInteger open) {
        BlockingQueue<Chunk> way = new ArrayBlockingQueue<>(WINDOW);
        Thread.ofVirtual().name("link").start(() -> {
            try {
                receive(from.getInputStream(), way);
            } catch (IOException | InterruptedException gone) {
                breakOff(from, to);
            }
        });
        Thread.ofVirtual().name("link").start(() -> {
            try {
                send(way, to.getOutputStream());
                to.shutdownOutput();
                if (open.decrementAndGet() == 0) {
                    close(from);
                    close(to);
                }
            } catch (IOException | InterruptedException gone) {
                breakOff(to, from);
            }
        });
    }

    private void receive(InputStream in, BlockingQueue<Chunk> way) throws IOException, InterruptedException {
        byte[] buffer = new byte[CHUNK];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            way.put(new Chunk(Arrays.copyOf(buffer, length), System.nanoTime() + delayNanos));
        }
        way.put(new Chunk(new byte[0], System.nanoTime() + delayNanos));
    }

    private void send(BlockingQueue<Chunk> way, OutputStream out) throws IOException, InterruptedException {
        for (Chunk chunk = way.take(); chunk.bytes().length > 0; chunk = way.take()) {
            for (long left = chunk.due() - System.nanoTime(); left > 0; left = chunk.due() - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            awaitPassage();
            out.write(chunk.bytes());
        }
        awaitPassage();
    }

    private void awaitPassage() throws InterruptedException {
        lock.lock();
        try {
            while (cut) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** One end is gone without a word; the other hears of it as soon as anything passes. */
    private void breakOff(Socket gone, Socket other) {
        reset(gone);
        try {
            awaitPassage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        reset(other);
    }

    private void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already
        }
        close(socket);
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // closed already
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        mend();
        sockets.forEach(this::reset);
    }
}
