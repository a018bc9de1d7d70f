using System.Globalization;
using System.Net.Sockets;
using Microsoft.Extensions.Hosting.Systemd;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Says to the service manager that started this process (systemd, <c>Type=notify</c>) what the pages say to others:
/// READY=1 once <c>/readyz</c> is 200, WATCHDOG=1 as long as <c>/healthz</c> is, STOPPING=1 when measuring is over.
/// </summary>
/// <remarks>By looking again and again: nothing on a measured thread knows of it.</remarks>
internal sealed class ServiceManagerNotices : IDisposable
{
    // How often, where no watchdog asks for more.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);
    private static readonly ServiceState Alive = new("WATCHDOG=1");

    private readonly Lock _gate = new();
    private readonly SystemdNotifier _manager;
    private readonly RunContext _run;
    private readonly Func<string?> _illness;
    private readonly Func<string?> _idleness;
    private readonly TimeSpan? _watchdog;
    private readonly ITimer _timer;
    private long? _saidAlive;
    private bool _saidReady;
    private bool _saidStopping;

    private ServiceManagerNotices(
        SystemdNotifier manager, RunContext run, Func<string?> illness, Func<string?> idleness)
    {
        (_manager, _run, _illness, _idleness) = (manager, run, illness, idleness);
        _watchdog = Watchdog();
        var period = _watchdog is { } limit && limit / 4 < Period ? limit / 4 : Period;
        _timer = run.Time.CreateTimer(_ => Look(isOver: false), null, TimeSpan.Zero, period);
    }

    /// <summary>Begins, where a service manager listens (NOTIFY_SOCKET).</summary>
    /// <param name="run">The run.</param>
    /// <param name="illness">What <c>/healthz</c> says, null while well; asked on any thread.</param>
    /// <param name="idleness">What <c>/readyz</c> says, null while ready; asked on any thread.</param>
    public static ServiceManagerNotices? Begin(RunContext run, Func<string?> illness, Func<string?> idleness)
    {
        var manager = new SystemdNotifier();
        return manager.IsEnabled ? new ServiceManagerNotices(manager, run, illness, idleness) : null;
    }

    public void Dispose()
    {
        _timer.Dispose();
        Look(isOver: true);
    }

    // WatchdogSec= of the unit, if it means this process.
    private static TimeSpan? Watchdog() =>
        long.TryParse(Environment.GetEnvironmentVariable("WATCHDOG_USEC"), CultureInfo.InvariantCulture, out var limit)
        && limit > 0
        && (Environment.GetEnvironmentVariable("WATCHDOG_PID") is not { Length: > 0 } process
            || process == Environment.ProcessId.ToString(CultureInfo.InvariantCulture))
            ? TimeSpan.FromMicroseconds(limit)
            : null;

    private void Look(bool isOver)
    {
        lock (_gate)
        {
            try
            {
                Say(isOver || _run.Phase > RunPhase.Measure);
            }
            catch (SocketException)
            {
                // It is being started again, for instance; next time then.
            }
        }
    }

    private void Say(bool isOver)
    {
        if (!_saidReady && !isOver && _idleness() is null)
        {
            _manager.Notify(ServiceState.Ready);
            _saidReady = true;
        }

        if (_watchdog is { } limit
            && _illness() is null
            && (_saidAlive is not { } last || _run.Time.GetElapsedTime(last) >= limit / 4))
        {
            _manager.Notify(Alive);
            _saidAlive = _run.Time.GetTimestamp();
        }

        if (isOver && !_saidStopping)
        {
            _manager.Notify(ServiceState.Stopping);
            _saidStopping = true;
        }
    }
}
