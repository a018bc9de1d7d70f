using System.Net.Sockets;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

internal sealed class LinkRun(LinkOptions options, LinkProfile profile, RunContext run)
{
    public static int Run(CommandRun<LinkOptions> command)
    {
        var options = command.Options.Values;
        var profile = options.Profile is { } given ? LinkProfileReader.Read(given)
            : options.Delay is { } delay ? DelaySyntax.Read(delay)
            : new LinkProfile();
        return RunHost.Run(options.Verbosity, run => new LinkRun(options, profile, run).Run());
    }

    private int Run()
    {
        run.Enter(RunPhase.Connect);
        LinkRoute[] routes = [.. Routes()];
        using var truth = options.Truth is { } path ? new TruthLog(path) : null;
        var totals = new LinkTotals(truth);
        using var link = Start(routes, totals);

        run.Enter(RunPhase.Measure);
        for (var route = 0; route < routes.Length; route++)
        {
            var protocol = routes[route].Protocol == LinkProtocol.Tcp ? "tcp" : "udp";
            var entry = link.EntryOf(route);
            var to = routes[route].To;
            LinkLog.Linking(run.Logger, protocol, entry, to);
        }

        run.Stop.WaitUntilRequested(options.Duration ?? Timeout.InfiniteTimeSpan);
        run.Drain(link.Dispose);

        run.Enter(RunPhase.Report);
        truth?.Complete();
        var verdict = link.Failure is null ? ExitCode.Valid : ExitCode.Fault;
        if (truth?.Omitted is > 0 and var omitted)
        {
            LinkLog.Omitted(run.Logger, omitted);
            verdict = ExitCode.Combine(verdict, ExitCode.ResultsNotWritten);
        }

        new LinkSummary(totals).WriteTo(run.Output, ExitCode.Combine(run.ExitCode, verdict));
        run.Output.Flush();
        return verdict;
    }

    private WanLink Start(IReadOnlyList<LinkRoute> routes, LinkTotals totals)
    {
        try
        {
            return WanLink.Start(new WanLinkOptions
            {
                Routes = routes,
                Profile = profile,
                Witness = totals,
                ThreadStarted = Pacer.WakePrecisely,
            });
        }
        catch (SocketException failure)
        {
            throw new RunRefusedException(
                $"The link cannot listen at {string.Join(", ", routes.Select(route => route.Listen))}: "
                    + failure.Message,
                failure);
        }
    }

    private IEnumerable<LinkRoute> Routes()
    {
        if (options is { Listen: { } listen, To: { } to })
            yield return AddressSyntax.Route(LinkProtocol.Tcp, listen, to);
        foreach (var route in options.Udp)
        {
            var ends = route.Split('=');
            yield return AddressSyntax.Route(LinkProtocol.Udp, ends[0], ends[1]);
        }
    }
}
