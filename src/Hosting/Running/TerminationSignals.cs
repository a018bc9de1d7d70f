using System.Runtime.InteropServices;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Turns SIGINT, SIGTERM and SIGHUP into a request to stop, and the second of them into an end at once with 130 or 143.
/// </summary>
/// <remarks>
/// The same signal again within <see cref="EchoWindow"/> is taken for an echo of the first and does nothing:
/// <c>dotnet run</c> passes on to its child a SIGTERM that the child, being in the same process group, may have had.
/// A process that was started with SIGINT ignored (<c>&amp;</c> in a non-interactive shell, nohup) keeps ignoring it:
/// .NET does not replace an inherited SIG_IGN. Stop such a process by SIGTERM.
/// </remarks>
internal sealed class TerminationSignals(
    StopSignal stop, TimeProvider time, ILogger logger, Action<int> endAtOnce) : IHostLifetime, IDisposable
{
    public static readonly TimeSpan EchoWindow = TimeSpan.FromMilliseconds(200);

    private readonly Lock _gate = new();
    private PosixSignalRegistration[] _registrations = [];
    private StopCause? _first;
    private long _firstTimestamp;

    /// <summary>
    /// From here on signals no longer end the process by themselves. In place of the host's console lifetime, that
    /// would stop the host on a signal while the run drains.
    /// </summary>
    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        _registrations =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, context => Handle(context, StopCause.Interrupt)),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => Handle(context, StopCause.Terminate)),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, context => Handle(context, StopCause.HangUp)),
        ];
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        foreach (var registration in _registrations)
            registration.Dispose();
    }

    internal void Receive(StopCause cause)
    {
        var isFirst = false;
        lock (_gate)
        {
            if (_first is null)
            {
                isFirst = true;
                _first = cause;
                _firstTimestamp = time.GetTimestamp();
            }
            else if (cause == _first && time.GetElapsedTime(_firstTimestamp) < EchoWindow)
            {
                return;
            }
        }

        if (isFirst)
        {
            stop.Request(cause, () => RunLog.StopRequested(logger, NameOf(cause)));
            return;
        }

        stop.AnnounceEnd();
        endAtOnce(cause == StopCause.Interrupt ? ExitCode.Interrupted : ExitCode.Terminated);
    }

    private static string NameOf(StopCause cause) => cause switch
    {
        StopCause.Interrupt => "SIGINT",
        StopCause.Terminate => "SIGTERM",
        _ => "SIGHUP",
    };

    private void Handle(PosixSignalContext context, StopCause cause)
    {
        context.Cancel = true;
        Receive(cause);
    }
}
