using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The template of <c>deploy/azure</c>, compiled and worked out by Bicep's own compiler.</summary>
public sealed class AzureTests
{
    private const string Machine = "azure/pair.bicep";

    private static readonly (string File, string Right, string Wrong, string Named)[] Faults =
    [
        (Machine, "enableAcceleratedNetworking:", "enableAcceleratedNetwork:", "\"enableAcceleratedNetwork\" is not"),
        (Machine, "/publicIPAddresses@", "/publicIPAdresses@", "\"Microsoft.Network/publicIPAdresses@2024-05-01\""),
        (Machine, "treatFailureAsDeploymentFailure: true", "treatFailureAsDeploymentFailure: 'yes'", "'yes'"),
        (Machine, "loadTextContent('../clouds", "loadTextContent('../cloud", "cloud-init.yaml"),
        (Machine, "\noutput ", "\noutput shown string = password\noutput ", "Outputs should not contain secrets"),
        ("azure/main.bicep", "@secure()\n", "", "Parameter 'password' may represent a secret"),
        ("azure/main.bicep", "    options: options\n", "", "required properties: \"options\""),
    ];

    private static readonly Lazy<Task<string>> SaidOfFaults = new(CompileFaults);

    public static TheoryData<string> Named => [.. Faults.Select(fault => fault.Named)];

    [Fact]
    public async Task Template_IsCompiledWithoutARemark()
    {
        var (template, said) = await BicepCompiler.Build(RepositoryRoot.Combine("deploy"));

        said.ShouldBeEmpty();
        template.ShouldContain("subscriptionDeploymentTemplate.json");
    }

    // All in one copy, as the compiler takes seconds.
    [Theory]
    [MemberData(nameof(Named))]
    public async Task Fault_IsFound(string named) => (await SaidOfFaults.Value).ShouldContain(named);

    /// <summary>Logins from the range that is given, and probes from the other region.</summary>
    [Theory]
    [InlineData("consumer", "10.71.1.0/24")]
    [InlineData("producer", "10.71.0.0/24")]
    public async Task Guard_LetsInLoginsAndProbesAlone(string role, string other)
    {
        var rules = (await CloudMachines.OfAzure("Microsoft.Network/networkSecurityGroups", role))["securityRules"]!
            .AsArray().Select(rule => rule!["properties"]!).OrderBy(rule => (int)rule["priority"]!)
            .Select(rule => string.Join(' ', new[]
            {
                "direction", "access", "protocol", "sourceAddressPrefix", "destinationPortRange",
            }.Select(name => rule[name]!.ToString())));

        rules.ShouldBe(
        [
            "Inbound Allow Tcp 203.0.113.0/24 22",
            $"Inbound Allow Udp {other} {(await CloudMachines.Of("azure", "consumer")).Probe.Port}",
            "Inbound Deny * * *",
        ]);
    }

    [Fact]
    public async Task Machines_AreInTheirRegions_AndTheProducerProbesTheConsumer()
    {
        var consumer = await CloudMachines.OfAzure("Microsoft.Network/networkInterfaces", "consumer");
        var regions = (await CloudMachines.InAzure)["predictedResources"]!.AsArray()
            .Where(one => one!["type"]!.ToString() == "Microsoft.Compute/virtualMachines")
            .Select(one => one!["location"]!.ToString());
        var listening = (await CloudMachines.Of("azure", "consumer")).Probe;
        var probed = (await CloudMachines.Of("azure", "producer")).Probe;

        regions.ShouldBe(["eastus", "westeurope"]);
        ((bool)consumer["enableAcceleratedNetworking"]!).ShouldBeTrue();
        consumer["ipConfigurations"]![0]!["properties"]!["privateIPAddress"]!.ToString().ShouldBe(probed.Host);
        probed.Port.ShouldBe(listening.Port);
    }

    /// <summary>It stays a reference until Azure hands it, encrypted, to the script on the machine.</summary>
    [Fact]
    public async Task Password_IsInTheProtectedParameterAlone()
    {
        var (template, _) = await BicepCompiler.Build(RepositoryRoot.Combine("deploy"));
        var predicted = await CloudMachines.InAzure;

        predicted.ToJsonString().ShouldNotContain(CloudMachines.Canary);
        Mentions(predicted).Select(place => place.Split('.')[^1]).Distinct()
            .ShouldBe(["condition", "value"], ignoreOrder: true);
        Mentions(predicted).Where(place => place.EndsWith(".value", StringComparison.Ordinal))
            .ShouldAllBe(place => place.Contains(".protectedParameters["));
        Mentions(JsonNode.Parse(template)!).ShouldAllBe(place => place.EndsWith(".condition")
            || place.EndsWith(".protectedParameters[0].value") || place.EndsWith(".parameters.password.value"));
        foreach (var secret in Parameters(JsonNode.Parse(template)!))
            secret["type"]!.ToString().ShouldBe("securestring");
    }

    private static async Task<string> CompileFaults()
    {
        using var copy = new DeployCopy();
        foreach (var (file, right, wrong, _) in Faults)
            copy.Alter(file, right, wrong);
        return (await BicepCompiler.Build(copy.Folder)).Said;
    }

    private static IEnumerable<string> Mentions(JsonNode node) => Texts(node)
        .Where(text => text.ToString().Contains("parameters('password')", StringComparison.Ordinal))
        .Select(text => text.GetPath());

    private static IEnumerable<JsonValue> Texts(JsonNode? node) => node switch
    {
        JsonValue text => [text],
        JsonArray list => list.SelectMany(Texts),
        JsonObject map => map.SelectMany(one => Texts(one.Value)),
        _ => [],
    };

    // Of the template, and of that in it.
    private static IEnumerable<JsonNode> Parameters(JsonNode template) =>
    [
        template["parameters"]!["password"]!,
        template["resources"]!["pair"]!["properties"]!["template"]!["parameters"]!["password"]!,
    ];
}
