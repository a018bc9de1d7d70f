using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.PhaseProbe;

/// <summary>Feeds a live view with made-up figures four times a second.</summary>
internal sealed class ProbeLive : IDisposable
{
    private static readonly TimeSpan Planned = TimeSpan.FromSeconds(20);

    private readonly ILiveView _view;
    private readonly ReporterThread _reporter;
    private readonly RunContext _context;
    private long _interval;

    public ProbeLive(string? mode, RunContext run)
    {
        var description = new LiveDescription("RTT · raw · redis://127.0.0.1:6379 · run probe");
        var terminal = Terminal.Detect();
        _context = run;
        _view = mode switch
        {
            "rich" => LiveViews.Rich(description, terminal, run.Output, run.Diagnostics, run.Stop),
            "plain" => LiveViews.Plain(description, run.Diagnostics, run.Stop),
            "auto" => LiveViews.Of(new OutputOptions(), description, run.Output, run.Diagnostics, run.Stop),
            _ => LiveViews.None(),
        };
        _reporter = new ReporterThread(TimeSpan.FromMilliseconds(250), Show);
    }

    public void Dispose()
    {
        _reporter.Dispose();
        _view.Dispose();
    }

    private void Show(long timestamp)
    {
        var elapsed = TimeSpan.FromMilliseconds(250 * ++_interval);
        var wave = 1 + (_interval * 7 % 13);
        var figures = new LatencyFigures(2500, 45_310, 52_100, 61_000 + (wave * 9_000), 190_000, 1_203_000);
        _view.Show(new LiveSnapshot
        {
            Phase = _context.Phase,
            Elapsed = elapsed,
            Interval = TimeSpan.FromMilliseconds(250),
            Planned = Planned,
            Progress = elapsed / Planned,
            TargetRate = 10_000,
            AchievedRate = 9_998,
            InFlight = 12,
            LatenessP99 = 18_200,
            IntendedInterval = figures,
            IntendedRun = figures with { Count = 2500 * _interval },
            SentInterval = figures,
            SentRun = figures,
            Sent = 2500 * _interval,
            Returned = (2500 * _interval) - 3,
            Lost = _interval / 10,
            HiccupMax = 912_000,
            CpuShare = 0.37,
        });
    }
}
