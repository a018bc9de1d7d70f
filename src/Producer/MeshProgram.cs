using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer;

/// <summary>The command line of a process in one of several regions: it sends to the others and answers them.</summary>
public static class MeshProgram
{
    private const string Regions = "--regions";
    private const string Region = "--region";

    // What is of a Producer with Consumers elsewhere, of one pair or of two servers is not of a mesh.
    private static readonly string[] OfProducer =
    [
        "--payload-size", "--arrival", "--duration", "--warmup", "--max-in-flight", "--receive-deadline", "--seed",
        "--reconnect-timeout", "--claims",
    ];

    /// <summary>The service under a name of its own.</summary>
    public static ServiceCommand Create(string name)
    {
        var catalogue = CreateCatalogue();
        return new ServiceCommand<ProducerOptions>(
            name,
            "Measures between regions: each sends to all, and answers.",
            catalogue,
            (command, _) => Task.FromResult(
                RunHost.Run(command.Options.Values.Output, run => new ProducerRun(command, run).Run())))
        {
            IsProgram = true,
            Common = ["--redis", Regions, Region, "--run", "--rate", "--duration", "--control", "--out"],
            Examples =
            [
                new("The process in one of three regions; the others have their own --region",
                    "host:6379 --run night --regions eu-west,us-east,ap-south --region us-east"),
                new("A hundred messages a second from each, for five minutes",
                    "host:6379 --regions eu-west,us-east --region eu-west --rate 100 --duration 5m"),
                new("Meet at another Redis than is measured",
                    "host:6379 --regions eu-west,us-east --region eu-west --control other:6379"),
            ],
            Verbs = [ProducerCheck.Create(catalogue)],
        };
    }

    private static OptionCatalogue<ProducerOptions> CreateCatalogue() =>
        new OptionCatalogue<ProducerOptions>("Producer")
            .Include(TargetCatalogue.CreateOfOne(EndpointSyntax.Problem, EndpointSyntax.Mask), o => o.Target)
            .Group("Load")
            .Add("--rate", o => o.Rate, Syntax.Rate(10_000_000, "messages per second"),
                "Messages per second from each process; 0 sends each when the last one has returned from all")
            .Include(ProducerCatalogue.Create().Only(OfProducer), o => o)
            .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(FleetCatalogue.CreateOfRegions(), o => o.Fleet)
            .Include(ProducerCatalogue.CreateOutput(), o => o.Output)
            .Rule([Region, Regions], RegionProblem)
            .Rule(["--redis"], o => o.Target.Endpoints.Count == 1 ? null : "one server is needed, the same for all");

    private static string? RegionProblem(ProducerOptions options) => options switch
    {
        { Fleet.Regions: null } => null,
        { Identity.Region: null } => "which of them this process is in is not said",
        { Identity.Region: { } own, Fleet.Regions: { } all } when !all.Contains(own) =>
            $"{own} is not among {string.Join(", ", all)}",
        _ => null,
    };
}
