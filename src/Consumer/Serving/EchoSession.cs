using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Consumer.Serving;

/// <summary>The streams of the Consumer, each on a named thread of its own, from first to last message.</summary>
internal sealed class EchoSession : IDisposable
{
    // Messages of one second and more: the reporter takes them once a second.
    private const int MostWaiting = 1 << 18;

    private readonly CancellationTokenSource _end = new();
    private readonly ConsumerPlan _plan;
    private IReadOnlyList<SessionThread> _threads = [];
    private volatile string? _lastRefusal;
    private long _refused;

    public EchoSession(ResolvedTarget target, ConsumerPlan plan, EchoOptions options)
    {
        _plan = plan;
        options = options with { Waits = ReportWaits };
        Echoes =
        [
            .. Enumerable.Range(0, plan.Options.Streams).Select(
                stream => new StreamEcho(options, () => target.OpenLane(plan.LaneOf(stream)))
                { Forward = new ForwardFeed(Math.Clamp(MostWaiting / plan.Options.Streams, 1 << 13, MostWaiting)) }),
        ];
        Metrics = ConsumerMetrics.Of(this, target.Name);
    }

    public IReadOnlyList<StreamEcho> Echoes { get; }

    public MetricSet Metrics { get; }

    public bool IsOver { get; private set; }

    /// <summary>Null while it serves. Any thread may ask.</summary>
    public string? HealthProblem => !IsOver && Echoes.Any(echo => !echo.IsConnected) ? "there is no connection" : null;

    public IReadOnlyList<ForwardFeed> Feeds => [.. Echoes.Select(echo => echo.Forward!)];

    /// <summary>Echoes that the server refused, at least: those after one that ends it are not counted.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    public string? LastRefusal => _lastRefusal;

    /// <summary>Streams of unknown length: their end did not come, or they were forgotten.</summary>
    public long UnendedStreams => Echoes.Sum(echo => echo.ForgottenStreams
        + echo.Streams.Count(stream => !stream.HasEnded && stream.Received + stream.WarmUp > 0));

    public void Connect()
    {
        foreach (var echo in Echoes)
            echo.Connect();
    }

    public void Start() => _threads =
    [
        .. Echoes.Select((_, stream) => new SessionThread(
            string.Create(CultureInfo.InvariantCulture, $"{StreamEcho.ThreadNames}-{stream}"),
            () => Serve(stream),
            _end.Cancel)),
    ];

    public void WaitForEnd(TimeSpan? duration, CancellationToken stop) => WaitForEnd(_ => WaitFor(duration), stop);

    /// <summary>Serves until a wait is over, which is cancelled by a stop and by a thread that fails.</summary>
    public void WaitForEnd(Action<CancellationToken> wait, CancellationToken stop)
    {
        try
        {
            using (stop.Register(_end.Cancel))
                wait(_end.Token);
        }
        catch (OperationCanceledException) when (_end.IsCancellationRequested)
        {
        }

        Stop();
        foreach (var thread in _threads)
            thread.ThrowIfFailed();
    }

    public void Stop()
    {
        _end.Cancel();
        foreach (var thread in _threads)
            thread.Join();
        IsOver = true;
    }

    public void Dispose()
    {
        Stop();
        foreach (var echo in Echoes)
            echo.Dispose();
        _end.Dispose();
    }

    // Those of its threads only: what the server waits for is seen from its own machine.
    private ReportedWaits? ReportWaits() => Metrics.Waits.FirstOrDefault(waits => waits.IsOwn)?.Report();

    // A wait handle takes no more than 24 days at once.
    private void WaitFor(TimeSpan? duration)
    {
        var longest = TimeSpan.FromDays(1);
        for (var left = duration ?? TimeSpan.MaxValue; left > TimeSpan.Zero; left -= longest)
        {
            if (_end.Token.WaitHandle.WaitOne(left < longest ? left : longest))
                return;
        }
    }

    private void EchoThroughRefusals(StreamEcho echo)
    {
        for (var isOver = false; !isOver;)
        {
            try
            {
                echo.Run(_end.Token);
                echo.AskAtEnd();
                isOver = true;
            }
            catch (RedisServerException refusal)
            {
                _lastRefusal = refusal.Message;
                Interlocked.Increment(ref _refused);
                if (!refusal.IsTransient)
                    throw;
            }
        }
    }

    private void Serve(int stream)
    {
        try
        {
            if (_plan.Options.Cpu is { } cpu && ThreadAffinity.Pin(cpu + stream) is { } problem)
                throw new RunRefusedException($"--cpu {cpu + stream}: {problem}.") { HoldsInMeasure = true };
            EchoThroughRefusals(Echoes[stream]);
        }
        catch (EchoLoopException)
        {
            throw new RunRefusedException(
                $"Echoes on {_plan.ReplyChannels[stream]} come back on {_plan.Channels[stream]}: another Consumer "
                + "answers them there. Give all Consumers of a run the same --channel and --reply-channel.")
            { HoldsInMeasure = true };
        }
    }
}
