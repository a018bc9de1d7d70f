using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Verify;

/// <summary>
/// The comparison as the last phase of a synchronisation: once the target has followed the source, and while it goes on
/// to do so. Then the synchronisation ends.
/// </summary>
internal sealed class VerifyPhase : IDisposable
{
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromMilliseconds(100);

    private readonly StopSignal _end = new();
    private readonly IStopToken _stop;
    private readonly CancellationTokenRegistration _linked;
    private readonly VerifiedEnd _source;
    private readonly VerifiedEnd _destination;
    private readonly DifferenceFile? _file;
    private readonly Verification _verification;
    private Thread? _thread;
    private ExceptionDispatchInfo? _failure;
    private bool _isWhole;
    private long _durationNs;

    public VerifyPhase(SyncPlan plan, TargetServer from, TargetServer to, IStopToken stop)
    {
        var options = plan.Options;
        _stop = stop;
        _linked = stop.Cancellation.Register(() => _end.Request(stop.Cause ?? StopCause.Terminate));
        _file = options.Verify.Differences is { } path ? new DifferenceFile(path) : null;
        _source = new VerifiedEnd("source", from, options.ReconnectTimeout, _end.Cancellation);
        _destination = new VerifiedEnd("destination", to, options.ReconnectTimeout, _end.Cancellation);
        _verification = new Verification(
            _source, _destination, new KeyNames(options.Filter, options.Databases, options.Prefixes), options.Verify,
            rate: 0, _file, _end);
    }

    /// <summary>What ends the synchronisation: whoever stops the run, and this phase at its end.</summary>
    public IStopToken End => _end;

    /// <summary>Begins once the target has followed, beside a synchronisation that would have no end.</summary>
    public void Begin(Func<bool> hasFollowed)
    {
        _thread = new Thread(() =>
        {
            try
            {
                while (!hasFollowed())
                {
                    if (_end.WaitUntilRequested(BetweenChecks))
                        return;
                }

                Run();
            }
            catch (Exception failure)
            {
                _failure = ExceptionDispatchInfo.Capture(failure);
            }
            finally
            {
                _end.Request(StopCause.Terminate);
            }
        })
        { IsBackground = true, Name = "verify" };
        _thread.Start();
    }

    /// <summary>Does what is left to do once the synchronisation is over.</summary>
    public void Finish()
    {
        if (_thread is null)
            Run();
        _thread?.Join();
        _failure?.Throw();
        _stop.Cancellation.ThrowIfCancellationRequested();
    }

    public RunFindings AddTo(RunFindings findings)
    {
        var found = new VerifyFindings(
            _verification.Counts, _source, _destination, _verification.KeysOnly, _isWhole, _durationNs);
        return findings with
        {
            Summaries = [.. findings.Summaries, found.Summary],
            Faults = [.. findings.Faults, .. found.Faults],
            Doubts = [.. findings.Doubts, .. found.Doubts],
            Thresholds = [.. found.Conditions, .. findings.Thresholds],
        };
    }

    public void Dispose()
    {
        _end.Request(StopCause.Terminate);
        _thread?.Join();
        _linked.Dispose();
        _source.Dispose();
        _destination.Dispose();
        _file?.Dispose();
        _end.Dispose();
    }

    private void Run()
    {
        var began = MonotonicClock.NowNs();
        try
        {
            _verification.Run();
            _isWhole = true;
        }
        finally
        {
            _durationNs = MonotonicClock.NowNs() - began;
        }
    }
}
