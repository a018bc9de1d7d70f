using RedisLatency.Fleet.Meeting;

namespace RedisLatency.Hosting.Options;

/// <summary>Of several processes that measure as one: how many they are, and where they meet.</summary>
public sealed class FleetOptions
{
    /// <summary>Who the members are; null where this process measures alone.</summary>
    public FleetRoster? Expect { get; set; }

    /// <summary>Whether this process is one of several.</summary>
    public bool IsMember => Expect is not null;

    /// <summary>How many members there are; 0 where this process measures alone.</summary>
    public int Members => Expect?.Count ?? 0;

    /// <summary>The regions in each of which a member is; null where members have roles, or there are none.</summary>
    public IReadOnlyList<string>? Regions => Expect is { IsOfRegions: true } roster ? [.. roster.Roles] : null;

    /// <summary>Which member of its role this is, from 0; null to take a place that is free.</summary>
    public int? Member { get; set; }

    /// <summary>The Redis where they meet, as given; null for the target.</summary>
    public string? Control { get; set; }

    /// <summary>A file whose first line is that Redis's password.</summary>
    public string? ControlPasswordFile { get; set; }

    /// <summary>How long to wait until all are there. The default is one minute.</summary>
    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How many members of a role there are.</summary>
    public int MembersOf(string role) => Expect?.CountOf(role) ?? 0;
}
