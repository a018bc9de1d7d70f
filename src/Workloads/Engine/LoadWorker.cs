using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Workloads.Engine;

/// <summary>One thread of a lane with its share of the operations, from its start until it has drained.</summary>
internal abstract class LoadWorker : IDisposable
{
    // How often what no reply tells is looked at: the end, time limits, connections.
    protected const long TickNs = 20_000_000;

    private readonly Action<string> _stopAll;
    private readonly Thread _thread;
    private long _drainUntil;
    private volatile bool _isStopAsked;
    private volatile Exception? _failure;

    protected LoadWorker(EnginePlan plan, WorkerShare place, Action<string> stopAll)
    {
        Plan = plan;
        Place = place;
        _stopAll = stopAll;
        Operations = new WorkerOperations(plan, place, Time);
        _thread = new Thread(() => MeasuringThreads.Run(Run))
        {
            IsBackground = true,
            Name = $"workload-{place.Worker}",
        };
    }

    public WorkerCounts Counts => Operations.Counts;

    public Exception? Failure => _failure;

    protected EnginePlan Plan { get; }

    protected WorkerShare Place { get; }

    protected WorkerTime Time { get; } = new();

    protected WorkerOperations Operations { get; }

    /// <summary>When there was nothing left to begin; zero before.</summary>
    protected long SentAllAt { get; private set; }

    protected bool IsStopAsked => _isStopAsked;

    protected bool IsTickDue => Time.Now >= Time.NextTick || _isStopAsked != Time.IsDraining;

    protected bool IsFinished => Time.IsDraining && (Operations.InFlight == 0 || Time.Now >= _drainUntil);

    public void Start(long startNs, long travelNs)
    {
        Time.Start = startNs;
        Time.MeasureFrom = startNs + Plan.WarmUp.InNanoseconds;
        // What an answer travels is no queue: not at a schedule's end, so not at its start.
        Time.AnswersFrom = Time.MeasureFrom + (Plan.IsOpenLoop ? travelNs : 0);
        if (Plan.Duration is { } duration)
            Time.StopAt = Time.MeasureFrom + duration.InNanoseconds;
        if (Plan.IsOpenLoop)
            Time.EndsAt = Time.StopAt;
        Counts.MeasuredFrom = Time.MeasureFrom;
        _thread.Start();
    }

    public void RequestStop()
    {
        _isStopAsked = true;
        Wake();
    }

    public void Join()
    {
        if (!_thread.ThreadState.HasFlag(ThreadState.Unstarted))
            _thread.Join();
    }

    public virtual void Dispose()
    {
        RequestStop();
        Join();
    }

    protected abstract void Wake();

    protected abstract void Run();

    protected void Fail(Exception problem)
    {
        _failure ??= problem;
        _stopAll(problem.Message);
    }

    protected bool IsOver(bool mayBeSentAgain) =>
        !Time.IsDraining && (_isStopAsked || Time.Now >= Time.StopAt || HasSentAll(mayBeSentAgain));

    protected void BeginDraining()
    {
        Time.IsDraining = true;
        _isStopAsked = true;
        _drainUntil = Time.Now + Plan.DrainLimit.InNanoseconds;
        Counts.EndMeasuring(Time.Now, SentAllAt == 0 ? Time.StopAt : Math.Min(Time.StopAt, SentAllAt));
        if (Plan.IsOpenLoop)
            Time.EndsAt = Counts.MeasuringEnded;
    }

    private bool HasSentAll(bool mayBeSentAgain)
    {
        if (Operations.Left > 0)
            return false;
        if (!mayBeSentAgain)
            return true;
        // The last ones may have to be sent again too.
        SentAllAt = SentAllAt == 0 ? Time.Now : SentAllAt;
        return Operations.InFlight == 0 || Time.Now - SentAllAt >= Plan.DrainLimit.InNanoseconds;
    }
}
