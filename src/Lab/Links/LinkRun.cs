using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Server.Delays;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

internal sealed class LinkRun(
    CommandRun<LinkOptions> command, LinkProfile profile, StandardOutput output, ILogger<LinkRun> logger)
    : IMeasuredRun, IDisposable
{
    private IReadOnlyList<LinkRoute> _routes = [];
    private TruthLog? _truth;
    private LinkTotals? _totals;
    private WanLink? _link;

    public static int Run(CommandRun<LinkOptions> command)
    {
        var options = command.Options.Values;
        var profile = options.Profile is { } given ? LinkProfileReader.Read(given)
            : options.Delay is { } delay ? DelaySyntax.Read(delay)
            : new LinkProfile();
        return RunHost.Run<LinkRun>(
            options.Verbosity, services => services.AddSingleton(command).AddSingleton(profile));
    }

    private LinkOptions Options => command.Options.Values;

    public void Resolve(RunContext context)
    {
    }

    public void Connect(RunContext context)
    {
        _routes = [.. Routes()];
        _truth = Options.Truth is { } path ? new TruthLog(path) : null;
        _totals = new LinkTotals(_truth);
        try
        {
            _link = WanLink.Start(new WanLinkOptions
            {
                Routes = _routes,
                Profile = profile,
                Witness = _totals,
                ThreadStarted = TimedWait.WakePrecisely,
            });
        }
        catch (SocketException failure)
        {
            throw new RunRefusedException(
                $"The link cannot listen at {string.Join(", ", _routes.Select(route => route.Listen))}: "
                    + failure.Message,
                failure);
        }
    }

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
    }

    public void WarmUp(RunContext context)
    {
    }

    public void Measure(RunContext context)
    {
        for (var route = 0; route < _routes.Count; route++)
        {
            var protocol = _routes[route].Protocol == LinkProtocol.Tcp ? "tcp" : "udp";
            var entry = _link!.EntryOf(route);
            var to = _routes[route].To;
            LinkLog.Linking(logger, protocol, entry, to);
        }

        context.Stop.WaitUntilRequested(Options.Duration ?? Timeout.InfiniteTimeSpan);
    }

    public void Drain(RunContext context) => _link?.Dispose();

    public int Report(RunContext context)
    {
        if (_link is null)
            return ExitCode.Valid;
        _truth?.Complete();
        var verdict = _link.Failure is null ? ExitCode.Valid : ExitCode.Fault;
        if (_truth?.Omitted > 0)
        {
            LinkLog.Omitted(logger, _truth.Omitted);
            verdict = ExitCode.Combine(verdict, ExitCode.ResultsNotWritten);
        }

        new LinkSummary(_totals!).WriteTo(output, ExitCode.Combine(context.ExitCode, verdict));
        output.Flush();
        return verdict;
    }

    public void Dispose()
    {
        _link?.Dispose();
        _truth?.Dispose();
    }

    private IEnumerable<LinkRoute> Routes()
    {
        if (Options is { Listen: { } listen, To: { } to })
            yield return AddressSyntax.Route(LinkProtocol.Tcp, listen, to);
        foreach (var route in Options.Udp)
        {
            var ends = route.Split('=');
            yield return AddressSyntax.Route(LinkProtocol.Udp, ends[0], ends[1]);
        }
    }
}
