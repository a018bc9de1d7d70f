using System.Net.Sockets;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Waits until one of many non-blocking sockets is ready. It belongs to one thread; only <see cref="Wake"/> may be
/// called from others. Nothing is allocated per wait by <see cref="EpollPoller"/>.
/// </summary>
public abstract class ReadinessPoller : IDisposable
{
    /// <summary>The environment variable that forces the portable poller when it is <c>1</c>.</summary>
    public const string PortableVariable = "REDISLATENCY_PORTABLE";

    /// <summary>Whether the portable calls are used: asked for, or not on Linux.</summary>
    public static bool IsPortable { get; } =
        !OperatingSystem.IsLinux() || Environment.GetEnvironmentVariable(PortableVariable) == "1";

    /// <summary>
    /// By which call it waits, for the run record: <c>epoll_pwait2</c>, <c>epoll_wait</c>, <c>select</c>.
    /// </summary>
    public abstract string Name { get; }

    /// <summary>The best poller of this machine: epoll on Linux, else the portable one.</summary>
    public static ReadinessPoller Create() => IsPortable ? new SelectPoller() : new EpollPoller();

    /// <summary>Registers a socket; <paramref name="token"/>, not negative, comes back with its events.</summary>
    public abstract void Add(Socket socket, int token, Readiness interest);

    /// <summary>Changes what a registered socket is asked for.</summary>
    public abstract void Change(Socket socket, int token, Readiness interest);

    /// <summary>Forgets a socket; must come before it is closed.</summary>
    public abstract void Remove(Socket socket);

    /// <summary>Waits until a socket is ready, the time has passed or <see cref="Wake"/> was called.</summary>
    /// <param name="events">
    /// Where the ready sockets are written; those that do not fit are told by the next call.
    /// </param>
    /// <param name="timeoutNs">Nanoseconds to wait; zero only looks, a negative value waits without end.</param>
    /// <returns>How many are ready; zero after a time-out or a wake-up.</returns>
    public abstract int Wait(Span<ReadyEvent> events, long timeoutNs);

    /// <summary>Ends the present <see cref="Wait"/>, or the next one, from any thread.</summary>
    public abstract void Wake();

    /// <summary>Closes what the poller itself opened; registered sockets stay open.</summary>
    public abstract void Dispose();
}
