using RedisLatency.Fixtures;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Tests.OneWay;

/// <summary>One producing stream, and one consumer that keeps stamps of its own, over a real server.</summary>
internal sealed class OneWayPair : IAsyncDisposable
{
    public const ulong Instance = 7;

    private const ulong Run = 1;
    private const ulong Producer = 2;
    private const string Ping = "one-way:ping";
    private const string Pong = "one-way:pong";

    private readonly RedisServerProcess _server;
    private readonly RedisEndpoint _endpoint;
    private readonly CancellationTokenSource _stop = new();
    private readonly Thread _echoing;
    private readonly ForwardFeed _feed = new(1 << 15);
    private readonly ForwardSeries _forward;
    private readonly OffsetPublisher _teller;
    private long _startNs;
    private MeteredLane? _echoLane;

    private OneWayPair(RedisServerProcess server, bool noEcho, double rate)
    {
        _server = server;
        _endpoint = RedisEndpoint.Parse(server.Uri);
        _forward = new ForwardSeries(new ForwardOptions(), [_feed]);
        Echo = new StreamEcho(
            new EchoOptions
            {
                Instance = Instance,
                Self = new Announcement("run", "consumer", "test", string.Empty, "0"),
            },
            () => _echoLane = new MeteredLane(Open(Ping, Pong)))
        {
            Forward = _feed,
        };
        Sender = new StreamSender(
            new SenderOptions
            {
                Run = Run,
                Producer = Producer,
                Stream = 0,
                Rate = rate,
                NoEcho = noEcho,
                OffsetFollows = true,
                MaxInFlight = 10_000,
                ReceiveDeadline = TimeSpan.FromSeconds(60),
            },
            () => Open(Pong, Ping));
        _teller = new OffsetPublisher(Run, Producer, () => Open(null, Ping), () => Open(Pong, Ping));
        _echoing = new Thread(Serve) { IsBackground = true };
    }

    public StreamEcho Echo { get; }

    public StreamSender Sender { get; }

    public static async Task<OneWayPair> Start(bool noEcho, double rate = 20_000)
    {
        var pair = new OneWayPair(await RedisServerProcess.Start(), noEcho, rate);
        pair.Echo.Connect();
        pair.Sender.Connect();
        pair._echoing.Start();
        return pair;
    }

    /// <summary>Sends so many messages, and waits for the answer to the end.</summary>
    public void Send(int messages, StampRing? stamps, bool isWarmUp = false)
    {
        _startNs = MonotonicClock.NowNs();
        Sender.Run(PhaseOf(messages, stamps, isWarmUp), CancellationToken.None);
        Sender.Drain(CancellationToken.None);
    }

    /// <summary>Tells the consumer the one window there is, then that it was the last.</summary>
    public OffsetWindow TellTheOffset()
    {
        var now = MonotonicClock.NowNs();
        var window = new PublishedWindow(
            _startNs - 1_000_000_000, now, _startNs, 0, 1_000, 0, 100, OffsetBreak.Start, IsProven: true);
        _teller.Publish(Instance, [window], isLast: false);
        _teller.Publish(Instance, [window], isLast: false);
        _teller.Publish(Instance, [window], isLast: true);
        return window.ToWindow();
    }

    /// <summary>Asks a consumer for its figures; null where it gives none.</summary>
    public ForwardFigures? Ask(ulong consumer, TimeSpan limit) =>
        _teller.Ask([consumer], limit).TryGetValue(consumer, out var figures) ? figures : null;

    /// <summary>Lets the consumer's reporter do its work while the producer asks for the figures.</summary>
    public ForwardFigures? AskFigures()
    {
        using var done = new CancellationTokenSource();
        var reporter = new Thread(() =>
        {
            while (!done.Token.WaitHandle.WaitOne(5))
                _forward.Take();
        });
        reporter.Start();
        var figures = Ask(Instance, TimeSpan.FromSeconds(30));
        done.Cancel();
        reporter.Join();
        return figures;
    }

    /// <summary>
    /// What many messages allocate beyond what few do, on the sending and on the receiving thread. Of several phases
    /// the smallest counts: the runtime may allocate once for a method that it has compiled anew.
    /// </summary>
    public (long Sending, long Receiving) AllocationOf(int few, int many)
    {
        var ring = new StampRing(1 << 16);
        var buffer = new MessageStamps[1_000];
        (long Sending, long Receiving) Of(int messages, bool isWarmUp)
        {
            var received = _echoLane!.AllocatedBytes;
            var sending = 0L;
            var thread = new Thread(() =>
            {
                var phase = PhaseOf(messages, ring, isWarmUp);
                var before = GC.GetAllocatedBytesForCurrentThread();

                // With the stragglers: on a busy machine all echoes of a few messages may be among them.
                Sender.Run(phase, CancellationToken.None);
                Sender.Drain(CancellationToken.None);
                sending = GC.GetAllocatedBytesForCurrentThread() - before;
            });
            thread.Start();
            thread.Join();
            while (ring.Take(buffer) > 0)
            {
            }

            _forward.Take();
            return (sending, _echoLane.AllocatedBytes - received);
        }

        Of(many, isWarmUp: true);
        Of(many, isWarmUp: false);
        var ofFew = Smallest(Of(few, isWarmUp: false), Of(few, isWarmUp: false));
        var ofMany = Smallest(Of(many, isWarmUp: false), Of(many, isWarmUp: false));
        return (ofMany.Sending - ofFew.Sending, ofMany.Receiving - ofFew.Receiving);
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _echoing.Join();
        _teller.Dispose();
        Sender.Dispose();
        Echo.Dispose();
        _forward.Dispose();
        _stop.Dispose();
        await _server.DisposeAsync();
    }

    private static (long Sending, long Receiving) Smallest(
        (long Sending, long Receiving) one, (long Sending, long Receiving) other) =>
        (Math.Min(one.Sending, other.Sending), Math.Min(one.Receiving, other.Receiving));

    private StreamPhase PhaseOf(int messages, StampRing? stamps, bool isWarmUp) => new()
    {
        IsWarmUp = isWarmUp,
        Limit = new StreamLimit(messages, null),
        Start = MonotonicClock.NowNs(),
        Consumers = [Instance],
        Stamps = stamps,
    };

    private RawLane Open(string? subscribe, string publish) => RawLane.Open(
        _endpoint,
        new RedisConnectionOptions(),
        new LaneOptions
        {
            SubscribeChannels = subscribe is null ? [] : [subscribe],
            PublishChannels = [publish],
        });

    private void Serve() => Echo.Run(_stop.Token);
}
