using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Follows the primary of a service through failovers, on a thread of its own: it listens to +switch-master of a
/// Sentinel, asks another one from time to time in case that one is cut off, and believes a new primary when the server
/// itself says that it is one. Reading the primary never waits.
/// </summary>
internal sealed class SentinelWatch : IDisposable
{
    private const string SwitchChannel = "+switch-master";

    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan FollowLimit = TimeSpan.FromSeconds(5);

    private readonly SentinelResolver _resolver;
    private readonly TimeSpan _checkInterval;
    private readonly Action? _hasSwitched;
    private readonly CancellationTokenSource _stopped = new();
    private readonly Reconnection _reconnection = new();
    private readonly Thread _thread;
    private volatile RedisEndpoint _primary;
    private long _switches;

    // The newest configuration that is known to have named our primary; null where none is.
    private long? _epoch;
    private int _sentinel;

    private SentinelWatch(SentinelResolver resolver, TimeSpan checkInterval, Action? switched)
    {
        _resolver = resolver;
        _checkInterval = checkInterval;
        _hasSwitched = switched;
        _primary = resolver.ResolvePrimary();
        // The first is the one that named it.
        Learn(Ask(resolver.Sentinels[0]));
        _thread = new Thread(Run) { IsBackground = true, Name = "redis-sentinel-watch" };
        _thread.Start();
    }

    /// <summary>How often a Sentinel is asked although none has announced anything, where nothing is given.</summary>
    public static TimeSpan DefaultCheckInterval { get; } = TimeSpan.FromSeconds(10);

    public RedisEndpoint Primary => _primary;

    public long Switches => Volatile.Read(ref _switches);

    /// <summary>Finds the primary and begins to follow it.</summary>
    /// <param name="endpoint"><c>redis+sentinel://host:port,host:port/service</c>.</param>
    /// <param name="options">How to connect.</param>
    /// <param name="checkInterval">
    /// How often a Sentinel is asked although none has announced anything; <see cref="DefaultCheckInterval"/> where
    /// nothing is given.
    /// </param>
    /// <param name="switched">Called, on the watch's own thread, when the primary has become another server.</param>
    public static SentinelWatch Start(
        RedisEndpoint endpoint,
        RedisConnectionOptions? options = null,
        TimeSpan? checkInterval = null,
        Action? switched = null) =>
        new(new SentinelResolver(endpoint, options), checkInterval ?? DefaultCheckInterval, switched);

    public void Dispose()
    {
        _stopped.Cancel();
        _thread.Join();
        _stopped.Dispose();
    }

    private void Run()
    {
        while (!_stopped.IsCancellationRequested
            && _reconnection.TryReach(Subscribe, _stopped.Token, out var connection, _ => AskAnother()))
        {
            try
            {
                using (connection)
                    Listen(connection);
            }
            catch (RedisException)
            {
                AskAnother();
            }
        }
    }

    private RedisConnection Subscribe()
    {
        var connection = _resolver.OpenSentinel(NextSentinel());
        try
        {
            Subscription.Confirm(connection, [SwitchChannel]);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    // One that cannot be listened to may be asked all the same, and there are others.
    private bool AskAnother()
    {
        Check();
        return true;
    }

    private HostAndPort Address => new(_primary.Host, _primary.Port);

    private RedisEndpoint NextSentinel() => _resolver.Sentinels[_sentinel++ % _resolver.Sentinels.Count];

    private void Listen(RedisConnection connection)
    {
        // What was announced before the subscription is asked for.
        var nextCheck = Check();
        while (!_stopped.IsCancellationRequested)
        {
            while (connection.Reader.TryRead(out var reply))
            {
                if (Announced(RespValue.From(ref reply)) is { } address)
                    Follow(address);
            }

            if (Stopwatch.GetTimestamp() >= nextCheck)
                nextCheck = Check();
            connection.Reader.Commit(connection.Transport.Receive(connection.Reader.GetSpace(), nextCheck));
        }
    }

    // The message is: service, old address and port, new address and port.
    private HostAndPort? Announced(RespValue message)
    {
        if (message.Items.Count != 3 || message.Items[0].Text != "message")
            return null;
        var words = message.Items[2].Text.Split(' ');
        return words.Length == 5 && words[0] == _resolver.Service
            && int.TryParse(words[4], NumberStyles.None, CultureInfo.InvariantCulture, out var port)
            ? new HostAndPort(words[3], port)
            : null;
    }

    // Other Sentinels hear of it later, and the old primary may still call itself one: the new one is tried first.
    private void Follow(HostAndPort announced)
    {
        // Found by asking before it was announced.
        if (announced == Address)
            return;
        try
        {
            new Reconnection(FollowLimit).TryReach(TakeAnother, _stopped.Token, out _);
        }
        catch (RedisConnectException)
        {
            // The next check asks as well.
        }

        bool TakeAnother() => TryTake(() => _resolver.Verify(announced)) || TryTake(_resolver.ResolvePrimary)
            ? true
            : throw new RedisConnectException(ConnectFailure.NoFittingServer, $"{announced} is no primary yet");
    }

    /// <returns>When to check again.</returns>
    private long Check()
    {
        var told = Ask(NextSentinel());
        if (Learn(told))
            return TimestampSpan.FromNow(_checkInterval);
        // One that was replaced and cannot be told so calls itself the primary for ever.
        if (told.Epoch > _epoch && TryTake(() => _resolver.Verify(told.Address)))
            _epoch = told.Epoch;
        // A Sentinel that is behind names the primary that was: while ours says that it is the one, it is.
        else if (!IsStillPrimary())
            TryTake(_resolver.ResolvePrimary);
        return TimestampSpan.FromNow(_checkInterval < Soon ? _checkInterval : Soon);
    }

    // False where another is named.
    private bool Learn([NotNullWhen(false)] NamedPrimary? told)
    {
        if (told is null)
            return true;
        if (told.Address != Address)
            return false;
        if (_epoch is null || told.Epoch > _epoch)
            _epoch = told.Epoch;
        return true;
    }

    private bool IsStillPrimary()
    {
        try
        {
            _resolver.Verify(Address);
            return true;
        }
        catch (RedisException)
        {
            return false;
        }
    }

    private bool TryTake(Func<RedisEndpoint> find)
    {
        try
        {
            var found = find();
            if (found == _primary)
                return false;
            Take(found);
            return true;
        }
        catch (RedisException)
        {
            return false;
        }
    }

    private NamedPrimary? Ask(RedisEndpoint sentinel)
    {
        try
        {
            return _resolver.AskWithEpoch(sentinel);
        }
        catch (RedisException)
        {
            return null;
        }
    }

    private void Take(RedisEndpoint primary)
    {
        _primary = primary;
        _epoch = null;
        Interlocked.Increment(ref _switches);
        _hasSwitched?.Invoke();
    }
}
