using System.Globalization;
using RedisLatency.Fleet;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Hosting.Members;

/// <summary>Of one process of several that measure as one: which it is, and where they meet.</summary>
public sealed record FleetPlan(ResolvedTarget Control, FleetSettings Settings)
{
    // Kubernetes says it to each pod of an indexed job.
    private const string IndexVariable = "JOB_COMPLETION_INDEX";

    /// <summary>Which member of its role this is, from 0; null where the control Redis hands it out.</summary>
    public int? Index => Settings.Index;

    /// <summary>What is measured.</summary>
    public IReadOnlyList<ResolvedTarget> Targets { get; init; } = [];

    /// <summary>What the user of the control Redis must be allowed.</summary>
    public string AclRule => new FleetKeys(Settings.Run).AclRule(Control.Endpoint.User);

    /// <summary>Makes it of options; null where this process measures alone.</summary>
    /// <param name="options">The options.</param>
    /// <param name="target">How connections are opened.</param>
    /// <param name="targets">What is measured; the first is where they meet unless the options say otherwise.</param>
    /// <param name="environment">The variables.</param>
    /// <param name="identity">Run, role and instance; of a run in regions its region is its role.</param>
    /// <exception cref="ConfigurationException">It cannot be.</exception>
    public static FleetPlan? Of(
        FleetOptions options,
        TargetOptions target,
        IReadOnlyList<ResolvedTarget> targets,
        IReadOnlyDictionary<string, string> environment,
        (string Run, string Role, string Instance) identity)
    {
        if (options.Expect is not { } roster)
            return null;
        if (options.Control is null && targets.Count == 0)
            throw new ConfigurationException($"{roster.Option}: --redis or --control must say where they meet");
        var control = options.Control is null && options.ControlPasswordFile is null
            ? targets[0]
            : ControlOf(options, target, targets);
        return new FleetPlan(control, new FleetSettings
        {
            Run = identity.Run,
            Role = identity.Role,
            Instance = identity.Instance,
            Roster = roster,
            Index = roster.IsOfRegions ? 0
                : options.Member ?? IndexIn(environment, roster.CountOf(identity.Role)),
            Version = ProgramVersion.Text,
            Timeout = options.PeerTimeout,
        })
        { Targets = targets };
    }

    /// <summary>The Redis where they meet: with a login of its own, or with that of the target that it is.</summary>
    /// <exception cref="ConfigurationException">A file cannot be read.</exception>
    public static ResolvedTarget ControlOf(
        FleetOptions options, TargetOptions target, IReadOnlyList<ResolvedTarget> targets)
    {
        var endpoint = options.Control is { } given ? RedisEndpoint.Parse(given) : targets[0].Endpoint;
        var same = targets.FirstOrDefault(one => IsNamed(one, endpoint));
        if (options.ControlPasswordFile is { } file)
        {
            var sources = new PasswordSources
            {
                FileContents = TargetResolution.ReadPassword($"--control-password-file {file}", file),
            };
            (endpoint, _) = sources.Resolve(endpoint with { Password = null });
        }
        else if (same is not null && endpoint is { User: null, Password: null })
        {
            endpoint = endpoint with { User = same.Endpoint.User, Password = same.Endpoint.Password };
        }

        var connection = TargetResolution.ConnectionOf(target);
        return new(TargetResolution.WithTls(endpoint, target, isOther: same is null), connection, target.Driver);
    }

    /// <summary>Asks whether they meet at what they measure: it has that name, or says so itself.</summary>
    public bool IsControlMeasured() => Targets.Any(target => IsNamed(target, Control.Endpoint))
        || Targets.Any(target => TargetObservation.AreOne(target, Control));

    private static bool IsNamed(ResolvedTarget target, RedisEndpoint endpoint) =>
        (target.Endpoint.Address, target.Endpoint.Service) == (endpoint.Address, endpoint.Service);

    private static int? IndexIn(IReadOnlyDictionary<string, string> environment, int count)
    {
        if (environment.GetValueOrDefault(IndexVariable) is not { Length: > 0 } text)
            return null;
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var index) && index < count
            ? index
            : throw new ConfigurationException(
                $"{IndexVariable}={text}: an index below --expect is needed, from 0 to {count - 1}");
    }
}
