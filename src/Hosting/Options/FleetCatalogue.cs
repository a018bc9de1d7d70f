using RedisLatency.Fleet.Meeting;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>The options of processes that measure as one; every service that can includes them.</summary>
public static class FleetCatalogue
{
    /// <summary>The most members that a run may have.</summary>
    public const int MostMembers = 10_000;

    // Each way is a row of the result, and from each there is one to every other.
    private const int MostRegions = 32;

    /// <summary>What a process does that sends, and is answered by others.</summary>
    public const string Producer = "producer";

    /// <summary>What a process does that answers.</summary>
    public const string Consumer = "consumer";

    private const string Group = "Several processes as one";
    private const string WaitHelp = "How long to wait until all of them are there";

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);

    /// <summary>The options of processes that share out work, in the section Fleet.</summary>
    /// <param name="role">What a member does, in one word: <c>load</c>.</param>
    public static OptionCatalogue<FleetOptions> Create(string role) =>
        Create(role, [role], $"{role}=4: they share out the work, start together and add up");

    /// <summary>The options of processes that send, and that answer, in the section Fleet.</summary>
    /// <param name="role">Which of both.</param>
    public static OptionCatalogue<FleetOptions> CreateOfPair(string role) => Create(
        role, [Producer, Consumer], "producer=3,consumer=3: they start together, end together and add up");

    /// <summary>
    /// The options of processes in regions, of which each sends and answers the others, in the section Fleet.
    /// </summary>
    public static OptionCatalogue<FleetOptions> CreateOfRegions() =>
        new OptionCatalogue<FleetOptions>("Fleet")
            .Group(Group)
            .Add("--regions", o => o.Expect, RegionSyntax,
                "All regions, the same in every process: there is one in each")
            .Include(CreateControl("the --redis"), o => o)
            .Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(most: LongestWait), WaitHelp)
            .Rule(["--regions"], o => o.Expect is null
                ? "the names of all regions are needed, for instance eu-west,us-east"
                : null);

    /// <summary>The Redis where they meet, in the section Fleet.</summary>
    /// <param name="shownDefault">Which it is by default.</param>
    public static OptionCatalogue<FleetOptions> CreateControl(string shownDefault) =>
        new OptionCatalogue<FleetOptions>("Fleet")
            .Group(Group)
            .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The Redis where they meet", mask: EndpointSyntax.Mask, shownDefault: shownDefault)
            .Add("--control-password-file", o => o.ControlPasswordFile, Syntax.OptionalText("FILE"),
                "Read its password from the first line of a file");

    private static OptionCatalogue<FleetOptions> Create(string role, IReadOnlyList<string> roles, string example) =>
        new OptionCatalogue<FleetOptions>("Fleet")
            .Group(Group)
            .Add("--expect", o => o.Expect, Expected(role, roles),
                $"How many processes measure together as the run that --run names, for instance {example}",
                shownDefault: "this one alone")
            .Add("--member", o => o.Member, Syntax.SmallCount(0, MostMembers - 1).Optional(),
                "Which of them this is, from 0",
                shownDefault: "the variable JOB_COMPLETION_INDEX, else one that is free")
            .Include(CreateControl("the first --redis"), o => o)
            .Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(most: LongestWait), WaitHelp)
            .Rule(["--member", "--control", "--control-password-file"], o => o.Expect is null
                && (o.Member is not null || o.Control is not null || o.ControlPasswordFile is not null)
                ? "is for one of several processes; --expect says how many they are"
                : null)
            .Rule(["--member", "--expect"], o => o.Expect?.CountOf(role) <= o.Member
                ? "members are counted from 0"
                : null);

    private static ValueSyntax<FleetRoster?> RegionSyntax { get; } = new(
        "NAME,NAME",
        text =>
        {
            var names = text.Split(',');
            var problem = names.Select(name => name.Length == 0 ? "a name is empty"
                    : IdentityCatalogue.NameProblem(name) is { } wrong ? $"{name}: {wrong}" : null)
                .FirstOrDefault(wrong => wrong is not null)
                ?? names.GroupBy(name => name).Where(same => same.Count() > 1)
                    .Select(same => $"{same.Key} is there twice").FirstOrDefault()
                ?? (names.Length < 2 ? "at least two regions are needed, for instance eu-west,us-east"
                    : names.Length > MostRegions ? $"at most {MostRegions} regions" : null);
            return problem is null
                ? ValueReading.Of<FleetRoster?>(FleetRoster.OfRegions(names))
                : ValueReading.Wrong<FleetRoster?>(problem);
        },
        roster => roster is null ? null : string.Join(',', roster.Roles));

    // A number alone is of members of the own role.
    private static ValueSyntax<FleetRoster?> Expected(string role, IReadOnlyList<string> roles)
    {
        var form = string.Join(",", roles.Select(one => $"{one}=NUMBER"));
        return new(
            form,
            text =>
            {
                var given = FleetRoster.Read(text.All(char.IsAsciiDigit) ? $"{role}={text}" : text)?.InOrder(roles);
                return given?.CountOf(role) > 0 && roles.Sum(one => (long)given.CountOf(one)) <= MostMembers
                    ? ValueReading.Of<FleetRoster?>(given)
                    : ValueReading.Wrong<FleetRoster?>($"{form} is needed, from 1 to {MostMembers:#,0}"
                        + (roles.Count > 1 ? " together" : string.Empty));
            },
            roster => roster?.ToString());
    }
}
